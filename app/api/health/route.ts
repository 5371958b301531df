export const dynamic = 'force-dynamic'

/** Answers while the process runs. `/api/ready` says whether it can work (SPEC O3). */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } })
}
