import type { Ctx } from '../../kernel/context'
import { ConflictError } from '../../kernel/errors'

/** Nobody locks themselves out by a slip in the console; a terminal on the server can always let them in again. */
export function requireNotOneself(ctx: Ctx, userId: string, advice: string): void {
  if (ctx.via === 'cli' || ctx.actor.userId !== userId) return
  throw new ConflictError(`This is your own account. ${advice}`)
}
