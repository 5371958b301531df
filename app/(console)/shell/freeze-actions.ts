'use server'
import { freezeSite, unfreezeSite } from '@toolgate/server/domains/settings/freeze'
import { action } from '@/lib/next/action'

export const freeze = action(freezeSite, { refresh: 'everything' })
export const unfreeze = action(unfreezeSite, { refresh: 'everything' })
