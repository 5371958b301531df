import { endpoints } from '@toolgate/server/doors/api/endpoints'
import { route } from '@toolgate/server/doors/http'
import { openApiDocument } from '@toolgate/server/doors/openapi'

/** Serves the OpenAPI document. It has only what the documentation has, but requires a session or an API key. */
export const GET = route({ role: 'member', scope: 'runs:read' }, async ({ request }) =>
  Response.json(openApiDocument(endpoints, new URL(request.url).origin)),
)
