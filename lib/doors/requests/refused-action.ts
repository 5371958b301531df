/** Answers a server action that is not run. Its sender finds code and message as JSON in the text of the answer. */
export function refusedAction({
  code,
  message,
  status,
}: {
  code: string
  message: string
  status: number
}): Response {
  // Exactly this type: the framework's client hands on the text of no other.
  const headers = { 'content-type': 'text/plain', 'cache-control': 'no-store' }
  return new Response(JSON.stringify({ code, message }), { status, headers })
}
