import {
  addDevice,
  deleteDevice,
  deviceGoneRequest,
  getPush,
  listDevices,
  type Device,
  type DeviceGone,
  type Input,
  type ListDevicesQuery,
  type NoQuery,
  type Page,
  type PostDevice,
  type PushSettings,
} from '@ams/contracts';
import { Handles, HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { DevicesService } from './devices.service.js';

@Controller()
export class DevicesController {
  constructor(private readonly devices: DevicesService) {}

  @Handles(getPush)
  push(): Promise<PushSettings> {
    return Promise.resolve(this.devices.push());
  }

  @Handles(listDevices)
  list(input: Input<ListDevicesQuery, undefined>): Promise<Page<Device>> {
    return this.devices.list(input);
  }

  @Handles(addDevice)
  add(input: Input<NoQuery, PostDevice>): Promise<Device> {
    return this.devices.add(input);
  }

  @Handles(deleteDevice)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.devices.delete(input);
  }

  @HandlesRequest(deviceGoneRequest)
  async gone(request: DeviceGone): Promise<{ ended: boolean }> {
    return { ended: await this.devices.gone(request) };
  }
}
