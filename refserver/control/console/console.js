// The things that a page cannot do without a script: taking the token from behind the #,
// which no browser sends anywhere, copying, and showing requests as they come.
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

const entries = document.getElementById("entries");
if (entries) {
  const shown = 100;
  const stream = new EventSource("/v1/journal/stream?world=" + encodeURIComponent(entries.dataset.world));
  stream.addEventListener("request", (event) => {
    const e = JSON.parse(event.data);
    const why = [e.why ? e.why.stage + ": " + e.why.reason : "", e.weather && (!e.why || e.why.stage !== "weather") ? "weather: " + e.weather : ""];
    const row = document.createElement("tr");
    const time = new Date(e.at).toLocaleTimeString();
    for (const text of [e.seq, time, e.method + " " + e.path, e.status, e.duration_ms, e.session || e.app || "", why.filter(Boolean).join(" · ")]) {
      const cell = document.createElement("td");
      cell.textContent = text;
      row.append(cell);
    }
    if (e.status >= 400 || e.status === 0) row.className = "refused";
    entries.prepend(row);
    while (entries.rows.length > shown) entries.deleteRow(-1);
  });
}
