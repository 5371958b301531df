'use server'
import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { SetAlertWebhook } from '@/lib/domains/budgets/alert-webhook'
import { testAlertWebhook } from '@/lib/domains/budgets/send-to-webhook'
import { removeAlertWebhook, setAlertWebhook } from '@/lib/domains/budgets/set-alert-webhook'
import { customAction } from '@/lib/kernel/action'

export const saveAlertWebhook = customAction(SetAlertWebhook, 'admin', setAlertWebhook)

export const forgetAlertWebhook = customAction(WithReason, 'admin', removeAlertWebhook)

export const sendTestAlert = customAction(z.object({}), 'admin', testAlertWebhook)
