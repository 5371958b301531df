import { endpoints } from '@/lib/doors/api/endpoints'
import { openApiDocument } from '@/lib/doors/openapi'
import { route } from '@/lib/kernel/http'

/** Says nothing about this installation that its documentation does not; still only for people and keys of it. */
export const GET = route({ role: 'member', scope: 'runs:read' }, async ({ request }) =>
  Response.json(openApiDocument(endpoints, new URL(request.url).origin)),
)
