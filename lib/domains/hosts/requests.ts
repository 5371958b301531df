import { z } from 'zod'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { db } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { HostRequest } from './shape'
import { WebOrigin } from './shared/web-origin'

const mostRequests = 100
const mostPeople = 100

/** Asks admins for a host that is not listed: one request for each, with the people who asked for it. */
export const askForHost = verb({
  name: 'host.ask',
  role: 'member',
  scope: null,
  summary: 'Asks admins to list a host that tools may not read yet.',
  input: z.object({ origin: WebOrigin }),
  output: z.object({ isListed: z.boolean() }),
  run: async ({ tx, actor }, { origin }) => {
    const host = await tx.host.findUnique({ where: { name: origin }, select: { enabled: true } })
    if (host?.enabled) return unchanged({ isListed: true })
    const { email } = actor
    const before = await tx.hostRequest.findUnique({ where: { origin } })
    if (before?.people.includes(email)) return unchanged({ isListed: false })
    requirePlace(before ? before.people.length < mostPeople : await hasPlace(tx))
    const people = { push: email }
    const { id } = before
      ? await tx.hostRequest.update({ where: { origin }, data: { people } })
      : await tx.hostRequest.create({ data: { origin, people: [email] } })
    return changed({ isListed: false }, { subject: id, after: { name: origin } })
  },
})

async function hasPlace(tx: { hostRequest: { count: () => Promise<number> } }): Promise<boolean> {
  return (await tx.hostRequest.count()) < mostRequests
}

function requirePlace(isThere: boolean): void {
  if (isThere) return
  throw new ConflictError('Too many people asked for hosts. Tell an admin, who can answer them.')
}

/** Returns the hosts that people asked for, those first for which most did. */
export const listHostRequests = verb({
  name: 'host.list-requests',
  role: 'admin',
  scope: null,
  summary: 'Lists the hosts that people asked for.',
  input: z.object({}),
  output: z.array(HostRequest),
  transaction: false,
  run: async () => {
    const rows = await db().hostRequest.findMany({ orderBy: { createdAt: 'asc' } })
    return rows
      .map(({ id, origin, people, createdAt }) => {
        return { id, origin, people, askedAt: createdAt.toISOString() }
      })
      .toSorted((a, b) => b.people.length - a.people.length)
  },
})

/** Removes a request without listing its host. */
export const declineHostRequest = verb({
  name: 'host.decline',
  role: 'admin',
  scope: null,
  summary: 'Declines to list a host that people asked for. They may ask again.',
  input: z.object({ id: z.uuid() }),
  reason: 'optional',
  run: async ({ tx }, { id }) => {
    const request = await tx.hostRequest.findUnique({ where: { id } })
    if (!request) throw new NotFoundError('This request')
    await tx.hostRequest.delete({ where: { id } })
    return changed(undefined, { subject: id, before: { name: request.origin }, after: null })
  },
})
