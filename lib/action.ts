import 'server-only'
import { headers } from 'next/headers'
import { unstable_rethrow } from 'next/navigation'
import type { z } from 'zod'
import { pathHeader } from './auth/path-header'
import { reportForbidden } from './auth/report-refusal'
import { requireSameOrigin } from './auth/require-same-origin'
import { optionalUser } from './auth/require-user'
import { type Ctx, requireRole } from './context'
import { describeError } from './describe-error'
import { ForbiddenError, UnauthenticatedError } from './errors'
import { parseInput } from './parse-input'
import type { Role } from './protocol/tool'

export type ActionError = { code: string; message: string; fields?: Record<string, string> }
export type ActionResult<T> = { ok: true; value: T } | { ok: false; error: ActionError }

/**
 * Makes a server action of a verb: refuses other sites' requests, finds out who asks, checks the role, parses the input,
 * and turns every failure into a result. Expected failures never throw: production clients would see only a digest.
 */
export function action<S extends z.ZodType, T>(
  schema: S,
  role: Role,
  verb: (ctx: Ctx, input: z.output<S>) => Promise<T>,
): (input: z.input<S>) => Promise<ActionResult<T>> {
  return async (input) => {
    let ctx: Ctx | null = null
    try {
      ctx = await optionalUser()
      if (!ctx) throw new UnauthenticatedError()
      requireSameOrigin(await headers())
      requireRole(ctx, role)
      return { ok: true, value: await verb(ctx, parseInput(schema, input)) }
    } catch (error) {
      unstable_rethrow(error)
      if (ctx && error instanceof ForbiddenError) {
        const name = (await headers()).get(pathHeader) ?? 'unknown'
        reportForbidden(error, ctx, { type: 'action', name }, ctx)
      }
      const { code, message, fields } = describeError(error, 'action')
      return { ok: false, error: fields ? { code, message, fields } : { code, message } }
    }
  }
}
