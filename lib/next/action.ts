import 'server-only'
import { clientAddress } from '@toolgate/server/auth/client-address'
import { requireFreshProof } from '@toolgate/server/auth/confirm-identity'
import { SecondFactorMissing } from '@toolgate/server/auth/factors/second-factor'
import type { SignedIn } from '@toolgate/server/auth/load-session'
import { reportForbidden } from '@toolgate/server/auth/report-refusal'
import { requireSameOrigin } from '@toolgate/server/auth/require-same-origin'
import { confirmationsInCookies } from '@toolgate/server/auth/typed-confirmation'
import type { ReasonKind, Verb, VerbInput } from '@toolgate/server/edge/verb'
import { type Ctx, requireRole } from '@toolgate/server/kernel/context'
import { describeError } from '@toolgate/server/kernel/describe-error'
import { ForbiddenError, UnauthenticatedError } from '@toolgate/server/kernel/errors'
import { parseInput } from '@toolgate/server/kernel/parse-input'
import { keepingWaysOut } from '@toolgate/server/toolset/policy/keep-ways-out'
import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import { unstable_rethrow } from 'next/navigation'
import type { z } from 'zod'
import type { Role } from '@/lib/protocol/tool'
import { pathHeader } from './path-header'
import { ctxOf, currentSession } from './require-user'

export type ActionError = { code: string; message: string; fields?: Record<string, string> }
export type ActionResult<T> = { ok: true; value: T } | { ok: false; error: ActionError }

type Work<S extends z.ZodType, T> = (ctx: Ctx, input: z.output<S>, session: SignedIn) => Promise<T>
type Action<I, T> = (input: I) => Promise<ActionResult<T>>

type Exception = {
  /** Also for people who have a second factor to set up before anything else. */
  beforeSecondFactor?: boolean
}
type Options = Exception & {
  /** Requires a confirmation of identity that is not older than 15 minutes (error code `confirm-identity`). */
  confirmed?: boolean
}

/**
 * Returns a server action for a verb, which checks the role and parses the input. The action refuses other sites'
 * requests, loads the session, and returns every failure as a result, because production clients would see only a
 * digest of an error.
 */
export function action<I extends z.ZodType, O extends z.ZodType, R extends ReasonKind>(
  verb: Verb<I, O, R>,
  { refresh, beforeSecondFactor }: Refreshing<VerbInput<I, R>> & Exception = {},
): Action<VerbInput<I, R>, z.output<O>> {
  return guarded(async (ctx, input) => {
    const output = await verb(ctx, input)
    const changed = typeof refresh === 'function' ? refresh(input) : refresh
    if (changed === 'everything') revalidatePath('/', 'layout')
    else if (changed) revalidatePath(changed)
    return output
  }, beforeSecondFactor)
}

/** The page that shows the change, or all pages with their frame. */
type Refresh = 'everything' | `/${string}`
type Refreshing<I> = { refresh?: Refresh | ((input: I) => Refresh) }

/** Returns a server action for work that is no verb of its own: what a form needs before or after one, or a session. */
export function customAction<S extends z.ZodType, T>(
  schema: S,
  role: Role,
  work: Work<S, T>,
  { confirmed = false, beforeSecondFactor = false }: Options = {},
): Action<z.input<S>, T> {
  return guarded((ctx, input, session) => {
    requireRole(ctx, role)
    if (confirmed) requireFreshProof(session)
    return work(ctx, parseInput(schema, input), session)
  }, beforeSecondFactor)
}

function guarded<I, T>(
  work: (ctx: Ctx, input: I, session: SignedIn) => Promise<T>,
  beforeSecondFactor = false,
): Action<I, T> {
  return async (input) => {
    let ctx: Ctx | null = null
    try {
      const session = await currentSession()
      if (!session) throw new UnauthenticatedError()
      ctx = {
        ...(await ctxOf(session)),
        ...keepingWaysOut(confirmationsInCookies(await headers())),
        requireProof: () => requireFreshProof(session),
      }
      requireSameOrigin(await headers())
      if (session.mustEnrol && !beforeSecondFactor) throw new SecondFactorMissing()
      return { ok: true, value: await work(ctx, input, session) }
    } catch (error) {
      unstable_rethrow(error)
      if (ctx && error instanceof ForbiddenError) {
        const name = (await headers()).get(pathHeader) ?? 'unknown'
        reportForbidden(error, ctx, { type: 'action', name }, ctx)
      }
      return failure(error, 'action')
    }
  }
}

/**
 * Answers a form of somebody who is not signed in, such as one that a one-time link allows: refuses other sites' requests
 * and turns every failure into a result. `page` says in the audit and in the log which form it was.
 */
export async function publicAction<T>(
  page: `/${string}`,
  work: (ipAddress: string | null) => Promise<T>,
): Promise<ActionResult<T>> {
  const requestHeaders = await headers()
  const ipAddress = clientAddress(requestHeaders)
  try {
    requireSameOrigin(requestHeaders)
    return { ok: true, value: await work(ipAddress) }
  } catch (error) {
    reportForbidden(error, null, { type: 'link', name: page }, { ipAddress })
    return failure(error, page.slice(1))
  }
}

function failure(error: unknown, source: string): { ok: false; error: ActionError } {
  const { code, message, fields } = describeError(error, source)
  return { ok: false, error: { code, message, ...(fields && { fields }) } }
}
