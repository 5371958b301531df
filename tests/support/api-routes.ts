type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>
type RouteModule = Partial<Record<string, Handler>>

const modules = import.meta.glob<RouteModule>('../../app/api/v1/**/route.ts')

/** Answers a request to `/api/v1` with the route that Next would choose. Throws when there is none. */
export async function answerRequest(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const found = Object.keys(modules)
    .map((file) => ({ file, params: paramsOf(file, pathname) }))
    .filter((route) => route.params !== null)
    // A name that is written out comes before a parameter.
    .sort((a, b) => Object.keys(a.params ?? {}).length - Object.keys(b.params ?? {}).length)
  const [route] = found
  const load = route && modules[route.file]
  const handler = load && (await load())[request.method]
  if (!handler) throw new Error(`No route answers ${request.method} ${pathname}.`)
  return handler(request, { params: Promise.resolve(route.params ?? {}) })
}

/** The parameters of a path when it is that of this route file; null when it is not. */
function paramsOf(file: string, pathname: string): Record<string, string> | null {
  const segments = file.replace('../../app', '').replace('/route.ts', '').split('/')
  const parts = pathname.split('/')
  if (parts.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    const name = /^\[(\w+)\]$/.exec(segment)?.[1]
    if (name !== undefined) params[name] = decodeURIComponent(part)
    else if (segment !== part) return null
  }
  return params
}
