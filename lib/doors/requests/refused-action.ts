/** Answers a server action that was not run. The text of the answer is JSON with code and message. */
export function refusedAction({
  code,
  message,
  status,
}: {
  code: string
  message: string
  status: number
}): Response {
  // Exactly this type, because the framework's client passes on the text of no other.
  const headers = { 'content-type': 'text/plain', 'cache-control': 'no-store' }
  return new Response(JSON.stringify({ code, message }), { status, headers })
}
