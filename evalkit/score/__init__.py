"""Case + facts -> verdicts: the graph decides what may be asked, checks and rules decide what holds."""
