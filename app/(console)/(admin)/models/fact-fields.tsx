'use client'
import { FormField, FormFields } from '@/components/forms/form-field'
import { modelShape } from '@/lib/domains/models/shape'

const { displayName, reasoningEfforts, unsupportedParameters, ...paired } = modelShape

/** Shows what is known of a model, in the forms that add and change one. */
export function FactFields() {
  return (
    <>
      <FormField name="displayName" shape={displayName} />
      <div className="grid gap-4 sm:grid-cols-2">
        <FormFields fields={paired} />
      </div>
      <FormFields fields={{ reasoningEfforts, unsupportedParameters }} />
    </>
  )
}
