'use client'
import { useRouter } from 'next/navigation'
import { FormDialog } from '@/components/forms/form-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import { cloneHere } from './lifecycle-actions'

type Props = { configurationId: string; name: string; identifier: string; onClose: () => void }

/** Asks what the copy is called. */
export function CloneDialog({ configurationId, name, identifier, onClose }: Props) {
  const router = useRouter()
  const toast = useToast()
  return (
    <FormDialog
      title={`Clone ${name}`}
      description="The copy has the same model, prompt, parameters, limits, tool groups and skills. Only admins may use it until you allow groups. A raised data class, approval rules and budgets are not copied."
      button="Clone"
      failed="The configuration was not cloned"
      send={(text) =>
        cloneHere({ configurationId, identifier: text('identifier'), name: text('name') })
      }
      onDone={({ id }) => {
        toast({ tone: 'ok', title: `Cloned ${name}` })
        onClose()
        router.push(`/configurations/${id}`)
      }}
      onClose={onClose}
    >
      {(wrong, id) => (
        <>
          <Field id={`${id}-name`} label="Name" error={wrong.name}>
            {(control) => (
              <Input
                {...control}
                name="name"
                autoComplete="off"
                defaultValue={`${name} (copy)`.slice(0, 100)}
              />
            )}
          </Field>
          <Field
            id={`${id}-identifier`}
            label="Identifier"
            hint="Used on the command line and in the API."
            error={wrong.identifier}
          >
            {(control) => (
              <Input
                {...control}
                name="identifier"
                autoComplete="off"
                defaultValue={`${identifier.slice(0, 55)}-copy`}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
