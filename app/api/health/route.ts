export const dynamic = 'force-dynamic'

/** The process answers. Whether it can work is what `/api/ready` says (SPEC O3). */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } })
}
