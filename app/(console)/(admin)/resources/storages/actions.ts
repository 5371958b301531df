'use server'
import {
  changeAsset,
  deleteAsset,
  restoreAsset,
} from '@toolgate/server/domains/storages/asset-verbs'
import { storageVerbs } from '@toolgate/server/domains/storages/verbs'
import { action } from '@/lib/next/action'

export const addStorage = action(storageVerbs.create)
export const changeStorage = action(storageVerbs.update)
export const removeStorage = action(storageVerbs.remove)
export const saveAsset = action(changeAsset)
export const removeAsset = action(deleteAsset)
export const putBackAsset = action(restoreAsset)
