'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { changeKey, removeKey as removeStoredKey } from '@/lib/domains/connections/change-keys'
import { createConnection } from '@/lib/domains/connections/create-connection'
import { deleteConnection } from '@/lib/domains/connections/delete-connection'
import { ChangeKey } from '@/lib/domains/connections/key-schemas'
import { removeConnectionKey } from '@/lib/domains/connections/remove-connection-key'
import { CreateConnection, UpdateConnection } from '@/lib/domains/connections/schemas'
import {
  SetConnectionEnabled,
  setConnectionEnabled,
} from '@/lib/domains/connections/set-connection-enabled'
import {
  SetConnectionHeaders,
  setConnectionHeaders,
} from '@/lib/domains/connections/set-connection-headers'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { contradictingHost } from '@/lib/domains/connections/zone-confirmation'
import { customAction } from '@/lib/kernel/action'
import { ReplaceConnectionKey, replaceConnectionKey } from '@/lib/probes/replace-connection-key'
import {
  AddTestedKey,
  addTestedKey,
  RenewTestedKey,
  renewTestedKey,
} from '@/lib/probes/store-further-key'
import { testConnection } from '@/lib/probes/test-connection'
import { testConnectionDraft } from '@/lib/probes/test-connection-draft'
import { ModelTarget, TrustZone } from '@/lib/protocol/model-target'
import { trustZoneEffect } from '@/lib/toolset/trust-zone-effect'

const One = z.object({ id: z.string().max(100) })

export const addConnection = customAction(CreateConnection, 'admin', async (ctx, input) => {
  const added = await createConnection(ctx, input)
  revalidatePath('/connections')
  return added
})

export const changeConnection = customAction(
  One.extend(UpdateConnection.shape),
  'admin',
  (ctx, { id, ...change }) => updateConnection(ctx, id, change),
)

export const testStored = customAction(One, 'admin', (ctx, { id }) => testConnection(ctx, id))

export const testDraft = customAction(
  z.object({ id: z.string().max(100).nullable(), ...CreateConnection.shape }),
  'admin',
  (ctx, { id, ...draft }) => testConnectionDraft(ctx, id, draft),
)

export const replaceKey = customAction(
  One.extend(ReplaceConnectionKey.shape),
  'admin',
  (ctx, { id, ...input }) => replaceConnectionKey(ctx, id, input),
)

export const removeKey = customAction(
  One.extend(WithReason.shape),
  'admin',
  (ctx, { id, reason }) => removeConnectionKey(ctx, id, { reason }),
)

const OneKey = One.extend({ key: z.string().max(100) })

export const addFurtherKey = customAction(
  One.extend(AddTestedKey.shape),
  'admin',
  (ctx, { id, ...input }) => addTestedKey(ctx, id, input),
)

export const renewFurtherKey = customAction(
  OneKey.extend(RenewTestedKey.shape),
  'admin',
  (ctx, { id, key, ...input }) => renewTestedKey(ctx, { connectionId: id, key }, input),
)

export const changeFurtherKey = customAction(
  OneKey.extend(ChangeKey.shape),
  'admin',
  (ctx, { id, key, ...change }) => changeKey(ctx, { connectionId: id, key }, change),
)

export const removeFurtherKey = customAction(
  OneKey.extend(WithReason.shape),
  'admin',
  (ctx, { id, key, reason }) => removeStoredKey(ctx, { connectionId: id, key }, { reason }),
)

export const changeHeaders = customAction(
  One.extend(SetConnectionHeaders.shape),
  'admin',
  (ctx, { id, ...input }) => setConnectionHeaders(ctx, id, input),
)

export const switchConnection = customAction(
  One.extend(SetConnectionEnabled.shape),
  'admin',
  (ctx, { id, ...input }) => setConnectionEnabled(ctx, id, input),
)

export const removeConnection = customAction(
  One.extend(WithReason.shape),
  'admin',
  async (ctx, { id, reason }) => {
    await deleteConnection(ctx, id, { reason })
    revalidatePath('/connections')
  },
)

/** Returns the public host that contradicts a private trust zone; null = the zone fits. */
export const checkZone = customAction(
  z.object({
    wire: ModelTarget.shape.wire,
    baseUrl: z.url().max(500).nullable(),
    settings: CreateConnection.shape.settings,
    trustZone: TrustZone,
  }),
  'admin',
  async (_ctx, address) => contradictingHost(address),
)

export const previewTrustZone = customAction(
  One.extend({ trustZone: TrustZone }),
  'admin',
  (ctx, { id, trustZone }) => trustZoneEffect(ctx, id, trustZone),
)
