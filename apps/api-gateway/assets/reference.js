// Fills the page. The calls that are tried go to the address that the page came from, whatever server the document names.
/* global document, location, SwaggerUIBundle */
async function show() {
  const answer = await fetch('/api/docs/openapi.json');
  if (!answer.ok) throw new Error(`the document answered ${answer.status}`);
  const spec = await answer.json();
  spec.servers = [{ url: `${location.origin}/api/v1` }];
  SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    persistAuthorization: false,
    showCommonExtensions: true,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
  });
}

show().catch((error) => {
  document.querySelector('#reference p').textContent = `The reference cannot be shown: ${error.message}. Load the page again in a moment.`;
});
