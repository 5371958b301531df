'use client'
import type { ReactNode } from 'react'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import type { Definition, ListingOf, Resource } from '@/lib/shape/resource'
import { objectActions } from './object-actions'

type Sends = 'add' | 'change' | 'remove'
type Words<D extends Definition> = Omit<FormSpec<D>, Sends> & Partial<Pick<FormSpec<D>, Sends>>

/**
 * Returns the form of a resource: the button that adds an object, and the buttons of its page. `Buttons`: further ones, before
 * those. A page gives `removal` where the effect of a deletion depends on the object.
 */
export function resourceForm<D extends Definition>(
  resource: Resource<D>,
  words: Words<D>,
  Buttons?: (props: { object: ListingOf<Resource<D>> }) => ReactNode,
) {
  const spec: FormSpec<D> = { ...objectActions(resource), ...words }
  return {
    spec,
    NewButton: ({ choices }: { choices: ReferenceChoices }) => (
      <NewResourceButton resource={resource} spec={spec} choices={choices} />
    ),
    Actions: ({
      object,
      choices,
      removal = spec.removal,
    }: {
      object: ListingOf<Resource<D>>
      choices: ReferenceChoices
      removal?: ReactNode
    }) => (
      <>
        {Buttons && <Buttons object={object} />}
        <ResourceActions
          resource={resource}
          stored={object}
          spec={{ ...spec, removal }}
          choices={choices}
        />
      </>
    ),
  }
}
