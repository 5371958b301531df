import { AppError } from '@/lib/kernel/errors'
import { problem } from '@/lib/kernel/http'

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>

const reading = ['GET'] as const
const writing = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const methodNames = [...reading, ...writing] as const
type Method = (typeof methodNames)[number]

/**
 * Every method of one address: those given, and for the others 405 as problem details with `Allow` (RFC 9110, 9457).
 * HEAD goes with GET.
 */
export function onlyMethods(handlers: Partial<Record<Method, Handler>>) {
  const allowed = methodNames.filter((name) => handlers[name])
  const allow = [...allowed, ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const refuse: Handler = async (request) => {
    const error = new AppError(
      'method-not-allowed',
      405,
      `${request.method} is not allowed at this address. Allowed: ${allow}.`,
    )
    const response = problem(error, request)
    response.headers.set('allow', allow)
    return response
  }
  const options: Handler = async () => new Response(null, { status: 204, headers: { allow } })
  return {
    GET: handlers.GET ?? refuse,
    HEAD: handlers.GET ?? refuse,
    POST: handlers.POST ?? refuse,
    PUT: handlers.PUT ?? refuse,
    PATCH: handlers.PATCH ?? refuse,
    DELETE: handlers.DELETE ?? refuse,
    OPTIONS: options,
  }
}
