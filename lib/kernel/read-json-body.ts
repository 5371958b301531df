import { AppError } from './errors'
import { readBody } from './read-body'

/** Parses the JSON body of a request. Throws AppError 413, 415 or 400. */
export async function readJsonBody(request: Request): Promise<unknown> {
  requireJsonType(request)
  return parseJson(await readBody(request))
}

/** The same where a body may be left out: an empty one counts as `{}`, whatever its headers say. */
export async function readOptionalJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBody(request)
  if (bytes.length === 0) return {}
  requireJsonType(request)
  return parseJson(bytes)
}

function requireJsonType(request: Request): void {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported-media-type', 415, 'Send the body as application/json.')
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new AppError('malformed-json', 400, 'The body is not valid JSON in UTF-8.')
  }
}
