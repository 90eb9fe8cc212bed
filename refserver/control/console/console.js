// The things that a page cannot do without a script: taking the token from behind the #,
// which no browser sends anywhere, copying, showing requests as they come, and building rules.
"use strict";

const login = document.getElementById("login");
if (login && location.hash.startsWith("#token=")) {
  login.elements.token.value = decodeURIComponent(location.hash.slice("#token=".length));
  history.replaceState(null, "", location.pathname);
  login.submit();
}

// copy puts a text on the clipboard. Browsers have navigator.clipboard only on this machine's own names and over HTTPS.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("the browser does not copy");
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    const said = await copy(button.dataset.copy).then(() => "Copied", () => "Not copied");
    button.focus();
    document.getElementById("copied").textContent = button.ariaLabel.replace(/^Copy/, said + ":");
    button.textContent = said;
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
}

// element makes an element with a text, which is never taken for HTML.
function element(name, text, properties) {
  return Object.assign(document.createElement(name), { textContent: text }, properties);
}

// shellWord is a text as one word of a shell.
const shellWord = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

// curl is a request as a command. Tokens are variables: the journal has none.
function curl(e) {
  const headers = Object.entries(e.headers || {}).filter(([name]) => !/^(authorization|content-length|accept-encoding|connection|host)$/i.test(name));
  const words = ["curl", "-X", e.method, ...headers.flatMap(([name, value]) => ["-H", shellWord(name + ": " + value)])];
  if (e.app) words.push("-u", e.session ? '"$REFSERVER_APP_TOKEN:$SESSION_TOKEN"' : '"$REFSERVER_APP_TOKEN:"');
  if (e.request !== undefined) words.push("--data-raw", shellWord(typeof e.request === "string" ? e.request : JSON.stringify(e.request)));
  return words.concat('--cacert "$REFSERVER_CA_FILE"', '"$REFSERVER_URL"' + shellWord(e.path)).join(" ");
}

// details is what a row shows once it is opened.
function details(e, why) {
  const cell = element("td", "", { colSpan: 7 });
  const part = (title, value) => {
    if (value === undefined || value === "") return;
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    cell.append(element("h3", title), element("pre", text, { tabIndex: 0 }));
  };
  part("Why", why);
  part("Request headers", Object.entries(e.headers || {}).map(([name, value]) => name + ": " + value).join("\n"));
  part("Request body", e.request);
  part("Answer, status " + e.status, e.answer);
  const button = element("button", "Copy as curl", { type: "button" });
  button.addEventListener("click", async () => {
    button.textContent = await copy(curl(e)).then(() => "Copied", () => "Not copied");
    document.getElementById("copied").textContent = button.textContent;
    setTimeout(() => (button.textContent = "Copy as curl"), 2000);
  });
  cell.append(button);
  const row = element("tr", "", { className: "details" });
  row.append(cell);
  return row;
}

const entries = document.getElementById("entries");
if (entries) {
  const shown = 100;
  const filter = document.getElementById("filter");
  const sift = (row) => (row.hidden = !filter.value.toLowerCase().split(/\s+/).every((word) => row.textContent.toLowerCase().includes(word)));
  filter.addEventListener("input", () => {
    const rows = [...entries.querySelectorAll("tr:not(.details)")];
    for (const row of rows) {
      sift(row);
      if (row.nextSibling && row.nextSibling.className === "details") row.nextSibling.hidden = row.hidden;
    }
    document.getElementById("filtered").textContent = filter.value ? rows.filter((row) => !row.hidden).length + " of " + rows.length : "";
  });
  const stream = new EventSource("/v1/journal/stream?world=" + encodeURIComponent(entries.dataset.world));
  stream.addEventListener("request", (event) => {
    const e = JSON.parse(event.data);
    const why = [e.why ? e.why.stage + ": " + e.why.reason : "", e.weather && (!e.why || e.why.stage !== "weather") ? "weather: " + e.weather : ""].filter(Boolean).join(" · ");
    const row = document.createElement("tr");
    const open = element("button", e.seq, { type: "button", className: "open", ariaExpanded: "false", ariaLabel: "Request " + e.seq });
    open.addEventListener("click", () => {
      const expanded = open.ariaExpanded === "true";
      if (expanded) row.nextSibling.remove();
      else row.after(details(e, why));
      open.ariaExpanded = String(!expanded);
    });
    const number = document.createElement("td");
    number.append(open);
    row.append(number);
    for (const text of [new Date(e.at).toLocaleTimeString(), e.method + " " + e.path, e.status, e.duration_ms, e.session || e.app || "", why]) row.append(element("td", text));
    if (e.status >= 400 || e.status === 0) row.className = "refused";
    sift(row);
    entries.prepend(row);
    while (entries.rows.length > 2 * shown || entries.querySelectorAll("tr:not(.details)").length > shown) entries.deleteRow(-1);
  });
}

// The builders write what could be typed into the fields beside them.
const add = (area, line) => (area.value = area.value.trimEnd() + (area.value.trim() ? "\n" : "") + line + "\n");

const rule = document.getElementById("rule");
if (rule) {
  rule.hidden = false;
  const field = (name) => rule.querySelector("[name=" + name + "]");
  const describe = () => {
    const { example, meaning } = field("kind").selectedOptions[0].dataset;
    field("value").value = example;
    field("value").disabled = !example;
    document.getElementById("meaning").textContent = meaning;
  };
  field("kind").addEventListener("change", describe);
  describe();
  rule.querySelector("button").addEventListener("click", () => {
    const parts = [[field("kind").value, field("value").value].filter(Boolean).join("=")];
    for (const name of ["on", "user"]) if (field(name).value) parts.push(name + "=" + field(name).value);
    if (field("when").value) parts.push(field("when").value + "=" + field("number").value);
    add(document.querySelector("[name=rules]"), parts.join(","));
  });
}

const choice = document.getElementById("choice");
if (choice) {
  choice.hidden = false;
  const chosen = choice.querySelector("select");
  const explain = () => (document.getElementById("choice-meaning").textContent = chosen.selectedOptions[0].dataset.meaning);
  chosen.addEventListener("change", explain);
  explain();
  choice.querySelector("button").addEventListener("click", () =>
    add(document.querySelector("[name=choose]"), choice.querySelector("select").value + "=" + choice.querySelector("input").value));
}

const fault = document.getElementById("fault");
if (fault) {
  fault.hidden = false;
  const name = fault.querySelector("input");
  let all = [];
  name.addEventListener("focus", async () => {
    if (all.length) return;
    all = (await (await fetch("/v1/faults")).json()).faults;
    document.getElementById("faults").append(...all.map((f) => element("option", f.summary, { value: f.name, label: f.rule + ": " + f.summary })));
  });
  name.addEventListener("input", () => {
    const known = all.find((f) => f.name === name.value);
    document.getElementById("breaks").textContent = known ? known.rule + ": " + known.summary : "";
  });
  fault.querySelector("button").addEventListener("click", () => {
    const faults = document.querySelector("[name=faults]");
    faults.value = (faults.value + " " + name.value).trim();
  });
}
