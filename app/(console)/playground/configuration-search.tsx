import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { SearchItem, SearchPopover } from '@/components/forms/search-popover'
import { priceOf } from '@/components/nouns/model-words'

type Props = {
  configurations: readonly ConfigurationListing[]
  /** The id of the one that is picked; null = none of them. */
  chosen: string | null
  /** The text of the button; muted while none is picked. */
  shown: string
  button: ComponentProps<typeof SearchPopover>['button']
  /** True = the list opens by itself, unless its button is hidden, such as in the closed settings of a phone. */
  isOpenAtFirst?: boolean
  onPick: (id: string) => void
}

/** Shows a button that opens the list of configurations, to pick one. */
export function ConfigurationSearch({ configurations, chosen, isOpenAtFirst, ...props }: Props) {
  const [open, setOpen] = useState(false)
  const [opensAtFirst] = useState(isOpenAtFirst ?? false)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (opensAtFirst && opener.current?.checkVisibility()) setOpen(true)
  }, [opensAtFirst])
  const pick = (id: string) => {
    props.onPick(id)
    setOpen(false)
  }
  return (
    <SearchPopover
      open={open}
      onOpenChange={setOpen}
      label="Configurations"
      searchLabel="Search configurations"
      nothing="No matches"
      start={chosen ?? undefined}
      shown={props.shown}
      isMuted={chosen === null}
      button={{ ...props.button, ref: opener }}
    >
      {configurations.map((each) => (
        <SearchItem
          key={each.id}
          value={each.id}
          keywords={[each.name, each.identifier, each.modelName, each.connectionName]}
          onSelect={() => pick(each.id)}
          name={each.name}
          about={aboutConfiguration(each)}
          isChosen={each.id === chosen}
        />
      ))}
    </SearchPopover>
  )
}

/** Returns the line below the name of a configuration. */
export function aboutConfiguration(each: ConfigurationListing): string {
  return `${each.modelName} · ${each.connectionName} · ${priceOf(each)}`
}
