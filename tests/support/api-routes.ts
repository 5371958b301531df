type Handler = (request: Request) => Promise<Response>

/** Answers a request to `/api/v1` as its route does, which is loaded when the first request comes. */
export async function answerRequest(request: Request): Promise<Response> {
  const methods: Record<string, Handler> = await import('@/app/api/v1/[[...path]]/route')
  const handler = methods[request.method]
  if (!handler) throw new Error(`No route answers ${request.method}.`)
  return handler(request)
}
