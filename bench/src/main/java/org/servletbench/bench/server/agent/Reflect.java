package org.servletbench.bench.server.agent;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Calls methods and reads fields by name, in a class or any of its superclasses, public or not. */
final class Reflect {

    private Reflect() {}

    static boolean has(Object target, String method) {
        return find(target.getClass(), method) != null;
    }

    static Object call(Object target, String method) throws ReflectiveOperationException {
        return invoke(target.getClass(), target, method);
    }

    static Object callStatic(Class<?> type, String method) throws ReflectiveOperationException {
        return invoke(type, null, method);
    }

    /** Loads a class through the class loader of another one. */
    static Class<?> sibling(Class<?> type, String name) throws ClassNotFoundException {
        return Class.forName(name, true, type.getClassLoader());
    }

    static boolean hasField(Object target, String name) {
        return findField(target.getClass(), name) != null;
    }

    static Object field(Class<?> type, Object target, String name) throws ReflectiveOperationException {
        Field field = findField(type, name);
        if (field == null) {
            throw new NoSuchFieldException(type.getName() + "." + name);
        }
        return open(field).get(target);
    }

    private static Field findField(Class<?> type, String name) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return field;
                }
            }
        }
        return null;
    }

    private static Object invoke(Class<?> type, Object target, String name) throws ReflectiveOperationException {
        Method method = find(type, name);
        if (method == null) {
            throw new NoSuchMethodException(type.getName() + "." + name + "()");
        }
        return open(method).invoke(target);
    }

    private static Method find(Class<?> type, String name) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0 && !method.isBridge()) {
                    return method;
                }
            }
        }
        return null;
    }

    private static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }
}
