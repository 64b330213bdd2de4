/*
 * Draws every <figure class="chart" data-figure="ID"> from the JSON in <script type="application/json" id="ID">.
 * Plotly is large, so it is fetched only when a page has a chart.
 * document.body.dataset.ready is "true" while every chart is drawn and no htmx request is under way.
 */
(() => {
  "use strict";

  const PLOTLY_ADDRESS = document.currentScript.dataset.plotly;
  // Okabe and Ito: told apart by people who see colours differently. Yellow comes last: it is weak on white.
  const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#1c2430", "#F0E442"];
  const CONFIG = {
    responsive: true,
    displaylogo: false,
    scrollZoom: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
  };
  const jsonDrawn = new WeakMap();
  let plotlyLoading = null;
  const requestsUnderWay = new Set();

  function loadPlotly() {
    plotlyLoading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = PLOTLY_ADDRESS;
      script.addEventListener("load", () => resolve(window.Plotly));
      script.addEventListener("error", () => reject(new Error("The chart library could not be loaded.")));
      document.head.append(script);
    });
    return plotlyLoading;
  }

  function pageTemplate(isNarrow) {
    const axis = {
      automargin: true,
      gridcolor: "#e8ebee",
      linecolor: "#868f9c",
      zerolinecolor: "#868f9c",
      zerolinewidth: 1,
      ticks: "outside",
      tickcolor: "#868f9c",
      ticklen: 4,
      nticks: isNarrow ? 5 : 9,
      title: { font: { size: 13, color: "#566070" }, standoff: 12 },
    };
    return {
      layout: {
        autosize: true,
        colorway: COLOURS,
        font: { family: getComputedStyle(document.body).fontFamily, size: isNarrow ? 12 : 13, color: "#1c2430" },
        paper_bgcolor: "rgba(0,0,0,0)",
        plot_bgcolor: "rgba(0,0,0,0)",
        margin: { l: 8, r: isNarrow ? 8 : 24, t: 24, b: 8 },
        separators: ".,",
        hovermode: "closest",
        hoverlabel: { bgcolor: "#ffffff", bordercolor: "#868f9c", align: "left", font: { size: 13, color: "#1c2430" } },
        legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
        annotationdefaults: { showarrow: false, bgcolor: "rgba(255,255,255,0.8)" },
        dragmode: isNarrow ? false : "zoom",
        xaxis: axis,
        yaxis: axis,
      },
    };
  }

  function canvasOf(figure) {
    let canvas = figure.querySelector(".chart-canvas");
    if (!canvas) {
      canvas = document.createElement("div");
      canvas.className = "chart-canvas";
      figure.append(canvas);
    }
    const title = figure.querySelector(".chart-title")?.textContent;
    canvas.setAttribute("role", "group");
    canvas.setAttribute("aria-label", title ? `Chart: ${title}` : "Chart");
    const summary = figure.querySelector(".chart-summary[id]");
    if (summary) canvas.setAttribute("aria-describedby", summary.id);
    return canvas;
  }

  function followPoint(event) {
    const [address] = [event.points[0].customdata].flat();
    if (typeof address === "string" && /^\/(?!\/)/.test(address)) window.location.assign(address);
  }

  async function draw(figure) {
    const json = document.getElementById(figure.dataset.figure)?.textContent;
    if (!json || jsonDrawn.get(figure) === json) return;
    const isFirst = !jsonDrawn.has(figure);
    jsonDrawn.set(figure, json);
    try {
      const [Plotly] = await Promise.all([loadPlotly(), document.fonts.ready]);
      const { data, layout } = JSON.parse(json);
      const canvas = canvasOf(figure);
      await Plotly.react(canvas, data, { ...layout, template: pageTemplate(canvas.clientWidth < 560) }, CONFIG);
      if (isFirst) canvas.on("plotly_click", followPoint);
    } catch (error) {
      figure.classList.add("chart-failed");
      canvasOf(figure).textContent = "This chart could not be drawn; its figures are under “Show data”.";
      console.error(error);
    }
  }

  async function drawAll() {
    await Promise.all([...document.querySelectorAll("figure.chart[data-figure]")].map(draw));
    tellReady();
  }

  function tellReady() {
    document.body.dataset.ready = String(requestsUnderWay.size === 0);
  }

  function watchRequest(event) {
    const { xhr } = event.detail;
    requestsUnderWay.add(xhr);
    tellReady();
    // Fires however the request ends, and after htmx has swapped the answer in.
    xhr.addEventListener("loadend", () => {
      requestsUnderWay.delete(xhr);
      drawAll();
    });
  }

  document.body.dataset.ready = "false";
  document.addEventListener("htmx:beforeSend", watchRequest);
  document.addEventListener("htmx:afterSettle", drawAll);
  drawAll();
})();
