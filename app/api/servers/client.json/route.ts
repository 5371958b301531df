import { clientDocument } from '@toolgate/server/toolset/servers/accounts/sign-in-site'

/** Says to issuers, and to anybody, who this installation is as an OAuth client. It has no secret. */
export async function GET(): Promise<Response> {
  return Response.json(clientDocument(), { headers: { 'cache-control': 'max-age=3600' } })
}
