import { NotFoundError } from '@/lib/kernel/errors'
import { problem } from '@/lib/kernel/http'

async function missing(request: Request): Promise<Response> {
  return problem(new NotFoundError('This address'), request)
}

export {
  missing as DELETE,
  missing as GET,
  missing as HEAD,
  missing as OPTIONS,
  missing as PATCH,
  missing as POST,
  missing as PUT,
}
