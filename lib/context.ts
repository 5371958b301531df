import { ForbiddenError } from './errors'
import type { Actor, Role } from './protocol/tool'

/** Who asks, and from where. Built once at the edge (page, action, route, CLI) and passed down. */
export type Ctx = {
  actor: Actor
  via: 'console' | 'api' | 'cli' | 'system'
  ipAddress: string | null
}

/** Admins may do everything a member may. */
export function requireRole(ctx: Ctx, role: Role): void {
  if (role === 'admin' && ctx.actor.role !== 'admin') throw new ForbiddenError()
}
