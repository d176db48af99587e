// What belongs to the kernel under the pointer, or with the focus, is marked; all else steps back.
(() => {
  const all = (what) => document.querySelectorAll(what);
  const clear = () => {
    document.body.classList.remove("look");
    all(".on").forEach((it) => it.classList.remove("on"));
  };
  const show = (event) => {
    clear();
    const kernel = event.target.closest("[data-k]");
    if (kernel) {
      document.body.classList.add("look");
      for (const id of (kernel.dataset.all || kernel.dataset.k).split(" ")) {
        all(`[data-k~="${id}"]`).forEach((it) => it.classList.add("on"));
      }
    }
    const node = event.target.closest(".node");
    if (node) {
      all(`[data-e~="${node.id}"]`).forEach((it) => it.classList.add("on"));
    }
  };
  document.addEventListener("mouseover", show);
  document.addEventListener("focusin", show);
  document.addEventListener("focusout", clear);
  document.addEventListener("mouseleave", clear);
})();
