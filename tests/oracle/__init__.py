"""A slow reference reading of the verdict page: the oracle of the property tests.

In comes a plain suite, case and trace (`model`), out goes what the page says of every stage and
metric (`trial.judge_trial`) and of many trials together (`counting`). Nothing here knows evalkit:
the code is written from sections 2, 3 and 4 of the page alone, one function for one sentence.
`README.md` lists every place where the page had to be interpreted.
"""
