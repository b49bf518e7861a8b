// Every text that can be seen, with the least contrast that it has to what may lie behind it (WCAG 2.2, 1.4.3:
// relative luminance, 4.5 to 1, 3 to 1 for large text). Patterns count as each of their colours.
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (text) => {
    if (!known.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(text, [r, g, b, a / 255]);
    }
    return known.get(text);
  };
  const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3])).concat(1);
  const channel = (value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const colours = (text) => text.match(/(?:rgba?|color|oklch|oklab|hsla?)\([^()]*\)/g) || [];
  const root = rgba(getComputedStyle(document.body).backgroundColor);
  const within = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;

  // What an element draws behind its text, as a list of layers; each layer is a list of possible colours.
  const layers = (element) => {
    const style = getComputedStyle(element);
    const plain = rgba(style.backgroundColor);
    const pattern = colours(style.backgroundImage).map(rgba);
    return [...(plain[3] ? [[plain]] : []), ...(pattern.length ? [pattern] : [])];
  };
  const drawn = (text) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return [...text.ownerSVGElement.querySelectorAll("rect, polygon")]
      .filter((one) => one.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)
      .filter((one) => within(one.getBoundingClientRect(), x, y))
      .map((one) => [rgba(getComputedStyle(one).fill)]);
  };
  const behind = (element) => {
    const path = [];
    for (let node = element; node; node = node.parentElement) path.unshift(node);
    const all = path.flatMap(layers).concat(element.tagName === "text" ? drawn(element) : []);
    return all.reduce((below, layer) => layer.flatMap((top) => below.map((one) => over(top, one))), [root]);
  };
  const opacity = (element) => {
    let all = 1;
    for (let node = element; node; node = node.parentElement) all *= Number(getComputedStyle(node).opacity);
    return all;
  };
  const measure = (element, pseudo, text) => {
    const style = getComputedStyle(element, pseudo);
    const colour = [...rgba(element.tagName === "text" ? style.fill : style.color)];
    colour[3] *= opacity(element) * (pseudo ? Number(style.opacity) : 1);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const worst = Math.min(...behind(element).map((below) => ratio(over(colour, below), below)));
    const path = [element.closest("[id]")?.id, element.tagName, element.getAttribute("class"), pseudo];
    return { where: path.filter(Boolean).join(" "), text: text.slice(0, 40), ratio: worst, large, pseudo: !!pseudo };
  };

  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim();
    if (!text || ["SCRIPT", "STYLE", "TITLE"].includes(element.tagName.toUpperCase())) continue;
    const box = element.getBoundingClientRect();
    if (element.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1)
      found.push(measure(element, null, text));
  }
  for (const element of document.body.querySelectorAll("*"))
    for (const pseudo of ["::before", "::after", "::placeholder"]) {
      const { content, display } = getComputedStyle(element, pseudo);
      const said = pseudo === "::placeholder" ? element.placeholder : content.startsWith('"') && content.slice(1, -1);
      if (said && display !== "none" && element.checkVisibility()) found.push(measure(element, pseudo, said));
    }
  return found;
}
