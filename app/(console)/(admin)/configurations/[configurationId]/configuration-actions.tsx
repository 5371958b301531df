'use client'
import type { ConfigurationUses } from '@toolgate/server/domains/configurations/schemas'
import { Copy, FlaskConical, History, MessagesSquare, Pencil, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { CloneDialog } from '@/components/forms/clone-dialog'
import { Button } from '@/components/ui/button'
import { MoreMenu } from '@/components/ui/more-menu'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { pick } from '@/lib/protocol/parameters/parameters'
import { cloneHere } from '../actions'
import { DeleteDialog } from './delete-dialog'
import { TestDialog, type TestedModel } from './test-dialog'

type Props = {
  configurationId: string
  name: string
  identifier: string
  uses: ConfigurationUses
  tested: TestedModel
  /** Why the configuration cannot be tested now; null = it can. */
  untestable: string | null
}

type Asked = 'test' | 'clone' | 'delete'

/** Shows the buttons that test, edit, clone and delete a configuration. */
export function ConfigurationActions({ configurationId, name, identifier, ...rest }: Props) {
  const router = useRouter()
  const [pending, setPending] = useState<Asked | null>(null)
  const close = () => setPending(null)
  const about = { configurationId, name, onClose: close }
  return (
    <>
      <Button asChild variant="primary">
        <Link href={`/playground?configuration=${configurationId}`}>
          <MessagesSquare className="size-4" aria-hidden />
          Run
        </Link>
      </Button>
      <Button asChild>
        <Link href={`/configurations/${configurationId}/edit`}>
          <Pencil className="size-4" aria-hidden />
          Edit
        </Link>
      </Button>
      <Button onClick={() => setPending('test')}>
        <FlaskConical className="size-4" aria-hidden />
        Test
      </Button>
      <MoreMenu
        entries={[
          {
            label: 'History',
            icon: History,
            onSelect: () => router.push(`/configurations/${configurationId}/history`),
          },
          { label: 'Clone…', icon: Copy, onSelect: () => setPending('clone') },
          null,
          { label: 'Delete…', icon: Trash2, onSelect: () => setPending('delete') },
        ]}
      />
      {pending === 'test' && (
        <TestDialog {...about} tested={rest.tested} untestable={rest.untestable} />
      )}
      {pending === 'clone' && (
        <CloneDialog
          fields={fields}
          of={{ name, identifier }}
          description={cloneWords}
          send={(names) => cloneHere({ id: configurationId, ...names })}
          next={({ id }) => `/configurations/${id}`}
          onClose={close}
        />
      )}
      {pending === 'delete' && <DeleteDialog {...about} uses={rest.uses} />}
    </>
  )
}

const fields = pick(configurationShape, ['name', 'identifier'])
const cloneWords = 'Groups, a raised data class, rules and budgets are not copied.'
