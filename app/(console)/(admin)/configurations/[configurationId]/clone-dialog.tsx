'use client'
import { FormDialog } from '@/components/forms/form'
import { FormFields } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { pick } from '@/lib/protocol/parameters'
import { cloneHere } from '../actions'

type Props = { configurationId: string; name: string; identifier: string; onClose: () => void }

const fields = pick(configurationShape, ['name', 'identifier'])

/** Asks for the name and identifier of the clone. */
export function CloneDialog({ configurationId, name, identifier, onClose }: Props) {
  const form = useActionForm({
    values: {
      name: `${name} (copy)`.slice(0, 100),
      identifier: `${identifier.slice(0, 55)}-copy`,
    },
    send: (names) => cloneHere({ id: configurationId, ...names }),
    done: `Cloned ${name}`,
    onDone: onClose,
    next: ({ id }) => `/configurations/${id}`,
  })
  return (
    <FormDialog
      form={form}
      title={`Clone ${name}`}
      description="The copy has the same model, prompt, parameters, limits, tool groups and skills. Only admins may use it until you allow groups. A raised data class, approval rules and budgets are not copied."
      button="Clone"
      failed="The configuration was not cloned"
      onClose={onClose}
    >
      <FormFields fields={fields} />
    </FormDialog>
  )
}
