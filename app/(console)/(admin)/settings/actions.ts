'use server'
import { requireFreshProof } from '@/lib/auth/confirm-identity'
import { isAboutSignIn, UpdateSettings } from '@/lib/domains/settings/site-settings'
import { updateSettings } from '@/lib/domains/settings/update-settings'
import { customAction } from '@/lib/kernel/action'

export const saveSettings = customAction(UpdateSettings, 'admin', async (ctx, input, session) => {
  if (isAboutSignIn(input)) requireFreshProof(session)
  return updateSettings(ctx, input)
})
