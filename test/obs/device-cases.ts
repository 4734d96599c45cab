// The device that an input captures.
import { expect } from 'vitest';
import { type StudioCase, audio } from './studio-case.ts';

const soundCard = 'alsa_input_capture';
const byDefault = { id: 'default', name: 'Default', isAvailable: true };
const custom = { id: '__custom__', name: 'Custom', isAvailable: true };

export const deviceCases: readonly StudioCase[] = [
  {
    name: 'an audio input shows its device and the available ones, and a change by hand is announced',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Studio' });
      await bench.call('create_input', { scene: 'Studio', input: 'Card', kind: soundCard });
      const devices = [
        { id: 'default', name: 'Default' },
        { id: '__custom__', name: 'Custom' },
      ];
      expect(await bench.read(audio('Card'))).toMatchObject({ device: byDefault, devices });
      const subscription = await bench.client.subscribe(audio('Card'));
      const inputSettings = { device_id: '__custom__' };
      await bench.byHand('SetInputSettings', { inputName: 'Card', inputSettings });
      await bench.told(audio('Card'));
      expect(await bench.read(audio('Card'))).toMatchObject({ device: custom, devices });
      await subscription.end();
    },
  },
  {
    name: 'a device is chosen by its id or its name; an unknown one is refused with the available ones',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Choice' });
      await bench.call('create_input', { scene: 'Choice', input: 'Chosen', kind: soundCard });
      expect(await bench.call('set_input_device', { input: 'Chosen', device: '__custom__' })).toMatchObject({
        device: custom,
        resources: [audio('Chosen')],
      });
      await bench.call('set_input_device', { input: 'Chosen', device: 'Default' });
      expect(await bench.read(audio('Chosen'))).toMatchObject({ device: byDefault });
      const missing = bench.call('set_input_device', { input: 'Chosen', device: 'Nothing' });
      await expect(missing).rejects.toThrow('Give the id of one of these: default (Default), __custom__ (Custom)');
      const unplugged = { inputName: 'Chosen', inputSettings: { device_id: 'unplugged' } };
      await bench.byHand('SetInputSettings', unplugged);
      expect(await bench.read(audio('Chosen'))).toMatchObject({
        device: { id: 'unplugged', name: null, isAvailable: false },
      });
    },
  },
  {
    name: 'an input that captures no device shows none',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Films' });
      await bench.call('create_input', { scene: 'Films', input: 'Film', kind: 'ffmpeg_source' });
      expect(await bench.read(audio('Film'))).toMatchObject({ device: null, devices: [] });
      const none = bench.call('set_input_device', { input: 'Film', device: 'default' });
      await expect(none).rejects.toThrow('captures no device');
    },
  },
  {
    name: 'a global device, which is in no scene, is a resource, and its changes are announced',
    run: async (bench) => {
      await bench.obs.addGlobalInput('Desk/Mic');
      await bench.until(audio('Desk/Mic'), (content) => content !== undefined);
      expect(await bench.client.listAll()).toContain(audio('Desk/Mic'));
      expect(await bench.read(audio('Desk/Mic'))).toMatchObject({ device: byDefault });
      const subscription = await bench.client.subscribe(audio('Desk/Mic'));
      const inputSettings = { device_id: '__custom__' };
      await bench.byHand('SetInputSettings', { inputName: 'Desk/Mic', inputSettings });
      await bench.told(audio('Desk/Mic'));
      expect(await bench.read(audio('Desk/Mic'))).toMatchObject({ device: custom });
      await subscription.end();
    },
  },
];
