'use server'
import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { SetAlertWebhook } from '@/lib/domains/budgets/alert-webhook'
import { testAlertWebhook } from '@/lib/domains/budgets/send-to-webhook'
import { removeAlertWebhook, setAlertWebhook } from '@/lib/domains/budgets/set-alert-webhook'
import { action } from '@/lib/kernel/action'

export const saveAlertWebhook = action(SetAlertWebhook, 'admin', setAlertWebhook)

export const forgetAlertWebhook = action(WithReason, 'admin', removeAlertWebhook)

export const sendTestAlert = action(z.object({}), 'admin', testAlertWebhook)
