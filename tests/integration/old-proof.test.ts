import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addGroupMember, groupVerbs, removeGroupMember } from '@/lib/domains/groups/verbs'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import { updateUser } from '@/lib/domains/users/verbs'
import { limitGroup } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { addPerson } from '@/tests/support/people'

const late = new Error('The last confirmation of identity is too old.')
let admin: Ctx
let old: Ctx
beforeAll(async () => {
  admin = await addPerson('admin')
  const requireProof = () => {
    throw late
  }
  old = { ...admin, requireProof }
})

test('a session whose proof is old opens no way out, changes nobody’s rights and lifts no freeze', async () => {
  const member = await addPerson('member')
  const { userId } = member.actor
  const { id: groupId } = await groupVerbs.create(admin, { name: randomUUID() })
  const host = { name: `https://${randomUUID()}.example` }
  const storage = { name: 'Old proofs' }
  await freezeSite(old, { reason: 'a test' })
  const acts: Record<string, (ctx: Ctx) => Promise<unknown>> = {
    'unfreeze the site': (ctx) => unfreezeSite(ctx, {}),
    'add a host': (ctx) => hostVerbs.create(ctx, host),
    'add a storage': (ctx) => storageVerbs.create(ctx, storage),
    'put somebody into a group': (ctx) => addGroupMember(ctx, { groupId, userId }),
    'limit a group': (ctx) => limitGroup(ctx, { id: groupId, tools: ['calculate'] }),
    'take somebody out of a group': (ctx) => removeGroupMember(ctx, { groupId, userId }),
    'make an admin': (ctx) => updateUser(ctx, { userId, role: 'admin' }),
    'demote an admin': (ctx) => updateUser(ctx, { userId, role: 'member' }),
    'disable somebody': (ctx) => updateUser(ctx, { userId, disabled: true }),
    'switch exec on': (ctx) => switchTool(ctx, { name: 'exec', enabled: true, reason: 'a test' }),
  }
  for (const [what, act] of Object.entries(acts)) {
    await expect(act(old), what).rejects.toBe(late)
    await expect(act(admin), what).resolves.not.toThrow()
  }
  await updateUser(old, { userId, name: 'Kim' })
})
