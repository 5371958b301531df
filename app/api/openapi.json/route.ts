import { endpoints } from '@/lib/doors/api/endpoints'
import { route } from '@/lib/doors/http'
import { openApiDocument } from '@/lib/doors/openapi'

/** Serves the OpenAPI document. It has only what the documentation has, but requires a session or an API key. */
export const GET = route({ role: 'member', scope: 'runs:read' }, async ({ request }) =>
  Response.json(openApiDocument(endpoints, new URL(request.url).origin)),
)
