/**
 * The Content-Security-Policy allows a <style> element only with the value that the server put into this copy of the
 * page. Mantine and CodeMirror take it as an option. The library that keeps the page behind a dialog from scrolling reads
 * a global variable.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce;
