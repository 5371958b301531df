'use server'
import { z } from 'zod'
import { action } from '@/lib/action'
import { WithReason } from '@/lib/audit/audit-reason'
import { SetAlertWebhook } from '@/lib/budgets/alert-webhook'
import {
  removeAlertWebhook,
  setAlertWebhook,
  testAlertWebhook,
} from '@/lib/budgets/set-alert-webhook'

export const saveAlertWebhook = action(SetAlertWebhook, 'admin', setAlertWebhook)

export const forgetAlertWebhook = action(WithReason, 'admin', removeAlertWebhook)

export const sendTestAlert = action(z.object({}), 'admin', testAlertWebhook)
