'use server'
import { z } from 'zod'
import { action } from '@/lib/action'
import { WithReason } from '@/lib/audit/audit-reason'
import { SetAlertWebhook } from '@/lib/budgets/alert-webhook'
import { testAlertWebhook } from '@/lib/budgets/send-to-webhook'
import { removeAlertWebhook, setAlertWebhook } from '@/lib/budgets/set-alert-webhook'

export const saveAlertWebhook = action(SetAlertWebhook, 'admin', setAlertWebhook)

export const forgetAlertWebhook = action(WithReason, 'admin', removeAlertWebhook)

export const sendTestAlert = action(z.object({}), 'admin', testAlertWebhook)
