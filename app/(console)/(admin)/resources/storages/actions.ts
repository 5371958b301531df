'use server'
import {
  changeAsset,
  deleteAsset,
  restoreAsset,
} from '@toolgate/server/domains/storages/asset-verbs'
import { action } from '@/lib/next/action'

export const saveAsset = action(changeAsset)
export const removeAsset = action(deleteAsset)
export const putBackAsset = action(restoreAsset)
