'use server'
import { z } from 'zod'
import { requireFreshProof } from '@/lib/auth/confirm-identity'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { SetAlertWebhook } from '@/lib/domains/budgets/alert-webhook'
import { testAlertWebhook } from '@/lib/domains/budgets/send-to-webhook'
import { removeAlertWebhook, setAlertWebhook } from '@/lib/domains/budgets/set-alert-webhook'
import { isAboutSignIn, UpdateSettings } from '@/lib/domains/settings/site-settings'
import { updateSettings } from '@/lib/domains/settings/update-settings'
import { customAction } from '@/lib/kernel/action'

export const saveSettings = customAction(UpdateSettings, 'admin', async (ctx, input, session) => {
  if (isAboutSignIn(input)) requireFreshProof(session)
  return updateSettings(ctx, input)
})

export const saveAlertWebhook = customAction(SetAlertWebhook, 'admin', setAlertWebhook)

export const forgetAlertWebhook = customAction(WithReason, 'admin', removeAlertWebhook)

export const sendTestAlert = customAction(z.object({}), 'admin', testAlertWebhook)
