// Fills the page. "Try it out" sends calls to the address from which the page was loaded, not to the server that the
// document names.
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
 * Swagger UI would send the example of every parameter with each call, also of an optional cursor or filter. So the
 * example of an optional parameter is moved into its description.
 */
function showExamplesAsText({ paths, components }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const parameters = [
    ...operations.flatMap((operation) => operation.parameters ?? []),
    ...Object.values(components.parameters),
  ];
  for (const parameter of parameters) {
    if (parameter.required || parameter.example === undefined) continue;
    parameter.description += ` For example \`${[parameter.example].flat().join(',')}\`.`;
    delete parameter.example;
  }
}

show().catch((error) => {
  document.querySelector('#reference p').textContent =
    `The reference cannot be shown: ${error.message}. Load the page again in a moment.`;
});
