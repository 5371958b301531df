'use server'
import {
  removeAlertWebhook,
  setAlertWebhook,
  testAlertWebhook,
} from '@/lib/domains/budgets/alert-webhook-verbs'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { action } from '@/lib/kernel/action'

export const saveSettings = action(updateSettings)
export const saveAlertWebhook = action(setAlertWebhook)
export const forgetAlertWebhook = action(removeAlertWebhook)
export const sendTestAlert = action(testAlertWebhook)
