// Fills the page. The calls that are tried go to the address that the page came from, whatever server the document names.
/* global document, location, SwaggerUIBundle */
async function show() {
  const answer = await fetch('/api/docs/openapi.json');
  if (!answer.ok) throw new Error(`the document answered ${answer.status}`);
  const spec = await answer.json();
  spec.servers = [{ url: `${location.origin}/api/v1` }];
  showExamplesAsText(spec);
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

/**
 * The page would send the example of a parameter with every call that is tried, a cursor or a filter too: of one that may be
 * left out, the description tells the example instead.
 */
function showExamplesAsText({ paths, components }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const parameters = [...operations.flatMap((operation) => operation.parameters ?? []), ...Object.values(components.parameters)];
  for (const parameter of parameters) {
    if (parameter.required || parameter.example === undefined) continue;
    parameter.description += ` For example \`${[parameter.example].flat().join(',')}\`.`;
    delete parameter.example;
  }
}

show().catch((error) => {
  document.querySelector('#reference p').textContent = `The reference cannot be shown: ${error.message}. Load the page again in a moment.`;
});
