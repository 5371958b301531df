import { type Ctx, systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { AppError } from '@/lib/kernel/errors'
import { keepingWaysOut } from '@/lib/toolset/policy/keep-ways-out'
import type { ConfirmOptions } from './input/common-options'
import { terminal } from './terminal'

const account = { id: true, email: true, role: true } as const
const active = { disabledAt: null, deletedAt: null }

/**
 * Returns the context of the account with this e-mail address, else of the first admin. `confirmed`: texts that confirm what is
 * refused otherwise.
 */
export async function actingCtx(
  email: string | undefined,
  confirmed: ConfirmOptions = {},
): Promise<Ctx> {
  const ctx = email === undefined ? await firstAdminCtx() : await accountCtx(email)
  if (ctx) return checking(ctx, confirmed)
  throw new AppError(
    'no-account',
    404,
    email === undefined
      ? 'There is no admin yet. Create one with: toolgate user add --role admin --email … --name …'
      : 'No active account has the e-mail address given with --as.',
  )
}

/**
 * Returns the context of the account with this e-mail address, else of the first admin, else of the installation
 * itself. Anyone with this shell has access to the database anyway.
 */
export async function actingOrInstallationCtx(
  email: string | undefined,
  confirmed: ConfirmOptions = {},
): Promise<Ctx> {
  if (email !== undefined) return actingCtx(email, confirmed)
  return checking((await firstAdminCtx()) ?? inTerminal(systemCtx()), confirmed)
}

function checking(ctx: Ctx, { confirm, breakChecks }: ConfirmOptions): Ctx {
  const given = (typed: string | undefined) => (typed === undefined ? null : { typed })
  const confirmations = { nobodyLeft: given(confirm), brokenCases: given(breakChecks) }
  return { ...ctx, ...keepingWaysOut(confirmations) }
}

async function accountCtx(email: string): Promise<Ctx | null> {
  const address = email.trim().toLowerCase()
  return toCtx(await db().user.findFirst({ where: { email: address, ...active }, select: account }))
}

async function firstAdminCtx(): Promise<Ctx | null> {
  const where = { role: 'admin' as const, ...active }
  return toCtx(await db().user.findFirst({ where, select: account, orderBy: { createdAt: 'asc' } }))
}

function toCtx(user: { id: string; email: string; role: 'admin' | 'member' } | null): Ctx | null {
  if (!user) return null
  const { id, email, role } = user
  return inTerminal({ actor: { userId: id, email, role }, via: 'cli', ipAddress: null })
}

function inTerminal(ctx: Ctx): Ctx {
  return { ...ctx, via: 'cli', terminalUser: terminal().user }
}
