'use server'
import { action } from '@/lib/action'
import { requireFreshProof } from '@/lib/auth/confirm-identity'
import { isAboutSignIn, UpdateSettings } from '@/lib/settings/site-settings'
import { updateSettings } from '@/lib/settings/update-settings'

export const saveSettings = action(UpdateSettings, 'admin', async (ctx, input, session) => {
  if (isAboutSignIn(input)) requireFreshProof(session)
  return updateSettings(ctx, input)
})
