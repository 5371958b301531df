'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { policyCases } from '@/lib/domains/policy-cases/shape'

const form = resourceForm(policyCases, {
  description: 'It asks the gates and rules about one call. Nothing is called.',
  removal: 'Changes that would break it are no longer refused.',
})
export const NewPolicyCaseButton = form.NewButton
export const PolicyCaseActions = form.Actions
