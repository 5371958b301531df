'use client'
import type { RunColumnKey } from '@toolgate/server/runs/lists/view-schemas'
import { useRouter } from 'next/navigation'
import { sendAction } from '@/components/forms/use-act'
import { ColumnsMenu } from '@/components/list/columns-menu'
import { useToast } from '@/components/ui/toast'
import { chooseColumns } from '../actions'
import { runColumns } from './run-columns'

type Props = {
  admin: boolean
  chosen: readonly RunColumnKey[]
  isOwnChoice: boolean
  /** The address of the list without columns, when a saved view is open: its columns change in the address. */
  viewHref: string | null
}

/** Lets a person choose the columns of the list: for good, or of the view that is open until that is saved. */
export function RunColumnsMenu({ admin, chosen, isOwnChoice, viewHref }: Props) {
  const router = useRouter()
  const toast = useToast()
  const inView = (href: string, columns: string[] | null) =>
    router.replace(columns ? `${href}&columns=${columns.join(',')}` : href, { scroll: false })
  const keep = async (columns: string[] | null) => {
    const known = columns && runColumns.map(({ key }) => key).filter((key) => columns.includes(key))
    const result = await sendAction(() => chooseColumns({ columns: known }))
    if (result.ok) return router.refresh()
    toast({
      tone: 'error',
      title: 'Columns not changed',
      description: result.error.message,
    })
  }
  return (
    <ColumnsMenu
      options={runColumns
        .filter(({ key }) => admin || key !== 'user')
        .map(({ key, head }) => ({ key, label: head, fixed: key === 'prompt' }))}
      chosen={chosen}
      isOwnChoice={isOwnChoice}
      onChoose={async (columns) => (viewHref ? inView(viewHref, columns) : keep(columns))}
    />
  )
}
