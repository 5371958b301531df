import type { ReactNode } from 'react'
import type { FilterField } from '@/components/forms/address-filter'
import type { ListAddress } from '@/components/list/list-address'
import { ListFrame } from '@/components/list/list-frame'

type Props = {
  address: ListAddress
  /** The fields of the filter beside the search. */
  fields?: readonly FilterField[]
  total: number
  pageSize: number
  /** Shown when there are no rows even without a filter. */
  nothing: ReactNode
  /** The rows of this page. */
  children: ReactNode
}

const search: FilterField = { type: 'search', name: 'search', label: 'Search approvals' }

/** Shows the frame of a list of approvals. */
export function ApprovalsFrame({ fields = [], ...props }: Props) {
  return (
    <ListFrame
      thing="call"
      fields={[search, ...fields]}
      searched="tool, rule, prompt and person"
      {...props}
    />
  )
}
